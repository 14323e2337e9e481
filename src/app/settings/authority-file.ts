/** The certificate of the authority that vouches for the other end of a link. */
import { readFileSync } from 'node:fs'
import { SettingsError } from './load.ts'

/** Throws `SettingsError`. */
export function readAuthority(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    const found = cause instanceof Error ? cause.message : String(cause)
    throw new SettingsError(`${file} cannot be read: ${found}`, { cause })
  }
}
