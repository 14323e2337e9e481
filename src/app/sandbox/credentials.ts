/**
 * `sandbox.json`: the address of the sandbox and the keys of its accounts, in plain text and readable only by
 * its owner. It is the one named exception to "secrets are shown once": it exists so that a newcomer or a
 * test has them at hand.
 */

import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { z } from 'zod'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'
import { SettingsError } from '../settings/load.ts'

export const CREDENTIALS_FILE = 'sandbox.json'

/** Random bytes of a key and of its secret. */
const CREDENTIAL_BYTES = 32

const credentials = z.object({ name: z.string(), apiKey: z.string().min(1), secret: z.string().min(1) })
const file = z.object({ accounts: z.array(credentials) })
/** Files from before Binance's wire was added have no keys for it. */
const ofBinance = z.object({ binance: file.optional() })

export type Credentials = z.infer<typeof credentials>

export type SandboxFile = {
  /** `http://host:port` */
  readonly baseUrl: string
  /** `ws://host:port` */
  readonly streamUrl: string
  /**
   * The page's address, with the code of this start that gives a browser access to the switch and the keys.
   */
  readonly pageUrl: string
  readonly accounts: readonly Credentials[]
  /** The port for clients of Binance, with keys of the same accounts for it. */
  readonly binance: BinanceSection
}

export type BinanceSection = {
  /** `http://host:port`; undefined if there is no such port. */
  readonly url?: string | undefined
  /** `ws://host:port` */
  readonly streamUrl?: string | undefined
  readonly accounts: readonly Credentials[]
}

/** Credentials stored by an earlier run; empty at the first. Throws `SettingsError` for a damaged file. */
export function readCredentials(
  dataDirectory: string,
  name: string = CREDENTIALS_FILE,
): readonly Credentials[] {
  return readStored(path.join(dataDirectory, name), (stored) => file.parse(stored).accounts) ?? []
}

/** The stored keys for clients of Binance, likewise. */
export function readBinanceCredentials(dataDirectory: string): readonly Credentials[] {
  const where = path.join(dataDirectory, CREDENTIALS_FILE)
  return readStored(where, (stored) => ofBinance.parse(stored).binance?.accounts) ?? []
}

/** Undefined if the file does not exist. Throws `SettingsError`. */
function readStored<T>(where: string, read: (stored: unknown) => T): T | undefined {
  let text: string
  try {
    text = readFileSync(where, 'utf8')
  } catch (cause) {
    if ((cause as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    const found = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError(`${where}: cannot be read: ${found}`, { cause })
  }
  try {
    return read(parseJson(text, DOCUMENT_JSON))
  } catch (cause) {
    throw new SettingsError(`${where} is damaged; delete it, and the accounts get new keys`, { cause })
  }
}

/** The file's text; the shell snippet of the greeting relies on one field per line. */
export function credentialsText(content: SandboxFile | Pick<SandboxFile, 'accounts'>): string {
  return `${JSON.stringify(content, undefined, 2)}\n`
}

/** The credentials stored by an earlier run, and new ones for accounts that have none. */
export function completed(
  kept: readonly Credentials[],
  names: readonly string[],
): { readonly accounts: readonly Credentials[]; readonly added: readonly Credentials[] } {
  const added: Credentials[] = []
  const accounts = names.map((name) => {
    const known = kept.find((credentials) => credentials.name === name)
    if (known !== undefined) return known
    const made = newCredentials(name)
    added.push(made)
    return made
  })
  return { accounts, added }
}

function newCredentials(name: string): Credentials {
  const random = (): string => randomBytes(CREDENTIAL_BYTES).toString('hex')
  return { name, apiKey: random(), secret: random() }
}
