/**
 * What the service says of itself (docs/reference/extensions.md#service): that it answers, and which time it has.
 */
import { pingBody, timeBody } from '../../../../wire/service.ts'
import { NONE, type Operation } from '../../operation.ts'

export const ping: Operation = { security: NONE, weight: 1, answer: ({ language }) => pingBody(language) }

export const time: Operation = {
  security: NONE,
  weight: 1,
  answer: ({ serverTime, language }) => timeBody(serverTime, language),
}
