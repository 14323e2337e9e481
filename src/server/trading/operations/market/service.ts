/** Service information (docs/reference/extensions.md#service): ping, and the server's time. */
import { pingBody, timeBody } from '../../../../contract/service.ts'
import { operationOf } from '../../operation.ts'

export const ping = operationOf('ping', ({ language }) => pingBody(language))

export const time = operationOf('time', ({ serverTime, language }) => timeBody(serverTime, language))
