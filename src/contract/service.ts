/**
 * The answers of the service about itself (docs/reference/extensions.md#service): that it is available, and
 * its time.
 */

import type { TimeMs } from '../units/quantities.ts'
import { object, timeMs } from '../units/shapes/shape.ts'
import { jsonOf } from '../units/shapes/shape-json.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'

const ANSWERING = successHeads({ en: 'The service answers.', tr: 'Servis yanıt veriyor.' })
const TIME_READ = successHeads({ en: 'The time has been read.', tr: 'Zaman getirildi.' })

export const PING = object({})
export const SERVER_TIME = object({ serverTime: timeMs() })

export function pingBody(language: Language): string {
  return successBody(ANSWERING, language, '{}')
}

export function timeBody(serverTime: TimeMs, language: Language): string {
  return successBody(TIME_READ, language, jsonOf(SERVER_TIME, { serverTime }))
}
