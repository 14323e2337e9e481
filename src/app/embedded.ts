/**
 * Files embedded in a single-file executable, added by tools/build.mjs. A checkout has none, and reads
 * everything from its files.
 */
import type { ProgramVersion } from '../contract/program-version.ts'

export type Embedded = {
  readonly version: ProgramVersion
  /** The page, its bytes as base64. */
  readonly page: readonly EmbeddedFile[]
  /** The operators' page, likewise. */
  readonly operatorPage: readonly EmbeddedFile[]
}

type EmbeddedFile = { readonly path: string; readonly type: string; readonly base64: string }

/** The name that the build replaces with a value. */
declare const BOURSE_EMBEDDED: Embedded | undefined

export const EMBEDDED: Embedded | undefined =
  typeof BOURSE_EMBEDDED === 'undefined' ? undefined : BOURSE_EMBEDDED
