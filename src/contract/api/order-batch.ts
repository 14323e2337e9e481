/** The answer to several operations in one request (docs/reference/extensions.md#order-batch). */
import { successBody, successHeads } from '../envelope.ts'
import type { Language } from '../language.ts'

/** The answer to the same operation as a separate request: HTTP status and body. */
export type BatchedAnswer = {
  readonly status: number
  readonly body: string
  /** The order was placed before (docs/reference/client-order-ids.md#repeats). */
  readonly isRepeat: boolean
}

const BATCH = successHeads({
  en: 'Each operation has its own answer.',
  tr: 'Her işlemin kendi yanıtı vardır.',
})

export function batchBody(answers: readonly BatchedAnswer[], language: Language): string {
  const list = answers.map(
    ({ status, body, isRepeat }) =>
      `{"status":${status},"body":${body}${isRepeat ? ',"repeated":true' : ''}}`,
  )
  return successBody(BATCH, language, `[${list.join(',')}]`)
}
