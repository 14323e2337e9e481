/** Every part of the corpus. */
import type { Part } from '../part.ts'
import { BETWEEN_CODECS } from './between-codecs.ts'
import { PEOPLE } from './people.ts'
import { STORED_CODECS } from './stored-codecs.ts'
import { STORED_FILES } from './stored-files.ts'

export const PARTS: readonly Part[] = [...STORED_CODECS, ...STORED_FILES, ...BETWEEN_CODECS, ...PEOPLE]
