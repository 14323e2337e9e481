/** A customers process's report about itself, as read by engines. */
import { z } from 'zod'
import { CUSTOMERS_LACKS } from '../../contract/admin/records.ts'
import { DOCUMENT_JSON, parseJson } from '../../units/bounded-json.ts'

const BYTES_MAX = 2_048
const TIME_MS_MAX = 8.64e15

const BUILD = z.string().regex(/^[\w.+-]{1,64}$/)
const ANSWER = z.object({
  version: BUILD,
  commit: BUILD,
  startedAtMs: z.number().int().min(0).max(TIME_MS_MAX),
  lacks: z.array(z.enum(CUSTOMERS_LACKS)).max(CUSTOMERS_LACKS.length).readonly(),
})

export type ProbeAnswer = Readonly<z.infer<typeof ANSWER>>

/** Undefined if the build of the process reports nothing, or uses another form. */
export function readProbeAnswer(bytes: Uint8Array): ProbeAnswer | undefined {
  if (bytes.length === 0 || bytes.length > BYTES_MAX) return undefined
  try {
    return ANSWER.safeParse(parseJson(new TextDecoder().decode(bytes), DOCUMENT_JSON)).data
  } catch (cause) {
    if (cause instanceof SyntaxError) return undefined
    throw cause
  }
}
