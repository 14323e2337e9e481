/**
 * The published files as validators that accept only what the files state: objects are closed, and lists of
 * words that may grow are fixed. The comparison uses the file that users get, and a validator that shares no
 * code with the schemas.
 */
import { readFileSync } from 'node:fs'
import path from 'node:path'
import Ajv, { type ValidateFunction } from 'ajv'
import Ajv2020 from 'ajv/dist/2020.js'
import { API } from './documents.ts'

export type Json = { readonly [name: string]: unknown }

/** A file of docs/api as committed, or of another folder with an earlier version. */
export function published(name: 'openapi.json' | 'account.json' | 'asyncapi.json', folder = API): Json {
  return JSON.parse(readFileSync(path.join(folder, name), 'utf8'))
}

/** Objects have only the stated members, and words are among those listed. */
export function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.fromEntries(Object.entries(value).map(([name, member]) => [name, closed(member)]))
  const words = members['x-extensible-enum']
  const isClosing = members.type === 'object' && isObject(members.properties)
  return {
    ...members,
    ...(Array.isArray(words) ? { enum: words } : {}),
    ...(isClosing && members.additionalProperties === undefined ? { additionalProperties: false } : {}),
  }
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** The part of a document at a JSON pointer, `#/components/...`. */
export function at(document: Json, pointer: string): Json {
  const steps = pointer.split('/').slice(1)
  const found = steps.reduce<unknown>(
    (value, step) => (value as Json)?.[step.replaceAll('~1', '/').replaceAll('~0', '~')],
    document,
  )
  if (!isObject(found)) throw new Error(`there is no ${pointer}`)
  return found
}

/** A part of a document, or the part to which it refers. */
export function resolved(document: Json, part: Json): Json {
  return typeof part.$ref === 'string' ? resolved(document, at(document, part.$ref)) : part
}

/** Escapes `/` and `~` in a step of a JSON pointer. */
export function step(text: string): string {
  return text.replaceAll('~', '~0').replaceAll('/', '~1')
}

/** Validators of the parts of a document that are schemas, by their JSON pointers. */
export class Validators {
  readonly #ajv: Ajv
  readonly #validators = new Map<string, ValidateFunction>()

  /** `isOpen` validates as a client generated from the file must, which accepts later members and words. */
  constructor(document: Json, dialect: '2020-12' | 'draft-7', isOpen = false) {
    const options = {
      strict: false,
      validateSchema: false,
      validateFormats: false,
      allErrors: false,
    } as const
    this.#ajv = dialect === '2020-12' ? (new Ajv2020(options) as unknown as Ajv) : new Ajv(options)
    this.#ajv.addSchema({ ...((isOpen ? document : closed(document)) as Json), $id: 'document' }, 'document')
  }

  /** The error; undefined if the value is valid. */
  fault(pointer: string, value: unknown): string | undefined {
    let validate = this.#validators.get(pointer)
    if (validate === undefined) {
      validate = this.#ajv.compile({ $ref: `document${pointer}` })
      this.#validators.set(pointer, validate)
    }
    return validate(value) ? undefined : this.#ajv.errorsText(validate.errors)
  }
}
