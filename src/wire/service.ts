/**
 * The answers of the service about itself (docs/reference/extensions.md#service): that it answers, and its time.
 */
import type { TimeMs } from '../units/quantities.ts'
import { successBody, successHeads } from './envelope.ts'
import type { Language } from './language.ts'

const ANSWERING = successHeads({ en: 'The service answers.', tr: 'Servis yanıt veriyor.' })
const TIME_READ = successHeads({ en: 'The time has been read.', tr: 'Zaman getirildi.' })

export function pingBody(language: Language): string {
  return successBody(ANSWERING, language, '{}')
}

export function timeBody(serverTime: TimeMs, language: Language): string {
  return successBody(TIME_READ, language, `{"serverTime":${serverTime}}`)
}
