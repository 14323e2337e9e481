/** Checks answers and messages against the published files; a deviation is returned as a text. */
import type { ERROR } from '../../src/contract/error-body.ts'
import type { ValueOf } from '../../src/units/shapes/shape.ts'
import { at, type Json, published, resolved, step, Validators } from './strict.ts'

export type Seen = {
  readonly method: string
  /** Path below `/api/v3`. */
  readonly path: string
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

const METHODS = ['get', 'post', 'put', 'delete']

/** These reasons indicate a slow machine, not the behavior of the interface. */
const OF_A_SLOW_MACHINE = ['OVERLOADED', 'OUTCOME_UNKNOWN', 'CLOCK_NOT_TRUSTED']

export class CheckedAnswers {
  readonly #document: Json
  readonly #validators: Validators

  constructor(document = published('openapi.json'), isOpen = false) {
    this.#document = document
    this.#validators = new Validators(document, '2020-12', isOpen)
  }

  /** `GET /order` and so on. */
  get endpoints(): readonly string[] {
    return Object.entries(this.#document.paths as Readonly<Record<string, Json>>).flatMap(([path, item]) =>
      METHODS.filter((method) => method in item).map((method) => `${method.toUpperCase()} ${path}`),
    )
  }

  /** The deviation; undefined if the answer agrees with the file. */
  fault(seen: Seen): string | undefined {
    const fault = this.#faultOf(seen)
    return fault && `${seen.method} ${seen.path}: ${seen.status} ${seen.text.slice(0, 400)}: ${fault}`
  }

  /**
   * The deviation of a body alone, if the file states its endpoint and status; undefined if there is none.
   */
  bodyFault({ method, path, status }: Pick<Seen, 'method' | 'path' | 'status'>, body: unknown) {
    const paths = this.#document.paths as Readonly<Record<string, Json>>
    const operation = paths[path]?.[method.toLowerCase()] as Json | undefined
    const stated = (operation?.responses as Readonly<Record<string, Json>> | undefined)?.[status]
    if (stated === undefined) return undefined
    const place = `#/paths/${step(path)}/${method.toLowerCase()}/responses/${status}`
    const pointer = typeof stated.$ref === 'string' ? stated.$ref : place
    return this.#validators.fault(`${pointer}/content/application~1json/schema`, body)
  }

  #faultOf({ method, path, status, headers, text }: Seen): string | undefined {
    const pointer = `#/paths/${step(path)}/${method.toLowerCase()}/responses/${status}`
    const { responses } = at(
      this.#document,
      pointer.slice(0, pointer.lastIndexOf('/')).replace(/\/responses$/, ''),
    )
    const stated = (responses as Readonly<Record<string, Json>>)[status]
    if (stated === undefined) return 'the status is not stated'
    const response = resolved(this.#document, stated)
    const place = typeof stated.$ref === 'string' ? stated.$ref : pointer
    const missing = this.#missingHeader(response, headers)
    if (missing !== undefined) return `the header ${missing} is missing`
    const [type = ''] = (headers.get('content-type') ?? '').split(';')
    if (!(type in (response.content as Json))) return `the type ${type} is not stated`
    if (type !== 'application/json') return undefined
    const body: unknown = JSON.parse(text)
    return (
      this.#validators.fault(`${place}/content/application~1json/schema`, body) ??
      refusalFault(response, status, body)
    )
  }

  #missingHeader({ headers }: Json, given: Headers): string | undefined {
    return Object.entries(headers as Readonly<Record<string, Json>>).find(
      ([name, header]) => resolved(this.#document, header).required === true && !given.has(name),
    )?.[0]
  }
}

/** The reason must be one of those of its endpoint and status; and the service itself must not fail. */
function refusalFault(response: Json, status: number, body: unknown): string | undefined {
  if (status === 200) return undefined
  const { reason } = body as ValueOf<typeof ERROR>
  const reasons = response['x-reasons'] as readonly string[]
  if (!reasons.includes(reason)) return `the reason ${reason} is not stated`
  return status >= 500 && !OF_A_SLOW_MACHINE.includes(reason) ? 'the service failed' : undefined
}

export class CheckedMessages {
  readonly #document: Json
  readonly #validators: Validators
  /** Messages of the server, by the first element. */
  readonly #ids: ReadonlyMap<string, readonly string[]>

  constructor(document = published('asyncapi.json'), isOpen = false) {
    this.#document = document
    this.#validators = new Validators(document, 'draft-7', isOpen)
    const operations = Object.values(this.#document.operations as Readonly<Record<string, Json>>)
    const ids = operations
      .filter(({ action }) => action === 'send')
      .map(({ messages }) => (messages as readonly { $ref: string }[])[0]?.$ref.split('/').at(-1) ?? '')
    const names = new Map<string, string[]>()
    for (const id of ids) {
      const name = String(at(this.#document, `#/components/messages/${id}`).name)
      names.set(name, [...(names.get(name) ?? []), id])
    }
    this.#ids = names
  }

  /** The id of the message in the file; otherwise the error. */
  find(message: unknown): { readonly id: string } | { readonly fault: string } {
    const [name] = message as [string]
    const ids = this.#ids.get(name.startsWith('kline_') ? 'kline_<interval>' : name) ?? []
    let fault = 'the name is not stated'
    for (const id of ids) {
      const found = this.#validators.fault(`#/components/messages/${id}/payload`, message)
      if (found === undefined) return { id }
      fault = found
    }
    return { fault: `${JSON.stringify(message).slice(0, 400)}: ${fault}` }
  }

  /** The error if the file does not allow a client to send the message. */
  requestFault(id: string, message: unknown): string | undefined {
    return this.#validators.fault(`#/components/messages/${id}/payload`, message)
  }
}
