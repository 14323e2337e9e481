/**
 * What the service says of itself (docs/reference/extensions.md#service): that it answers, and which time it has.
 */
import { pingBody, timeBody } from '../../../../wire/service.ts'
import { operationOf } from '../../operation.ts'

export const ping = operationOf('ping', ({ language }) => pingBody(language))

export const time = operationOf('time', ({ serverTime, language }) => timeBody(serverTime, language))
