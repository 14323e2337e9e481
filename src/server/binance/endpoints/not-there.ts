/**
 * Endpoints of Binance that this wire does not offer: each is refused by name, with a replacement where there
 * is one.
 */
import { WireError } from '../wire/wire-error.ts'

type NotThere = { readonly path: RegExp; readonly says: string; readonly status?: number }

const GONE = 410
const USER_DATA = 'listen keys do not exist here: send userDataStream.subscribe.signature to /ws-api/v3'
const NO_OPO = 'lists of the kinds OPO and OPOCO do not exist here'
const NO_ROUTING = 'there is one book for each symbol and no order routing'
const NO_WINDOWS = 'rolling windows do not exist here: read ticker/24hr or klines'

const NOT_THERE: readonly NotThere[] = [
  {
    path: /^\/api\/v3\/userDataStream/,
    says: USER_DATA,
    status: GONE,
  },
  { path: /^\/api\/v3\/order\/oco$/, says: 'send POST /api/v3/orderList/oco instead' },
  { path: /^\/api\/v3\/orderList\/opo/, says: NO_OPO },
  { path: /^\/api\/v3\/sor\//, says: NO_ROUTING },
  { path: /^\/api\/v3\/ticker$/, says: NO_WINDOWS },
  { path: /^\/[fde]api\//, says: 'this exchange offers spot trading only' },
  { path: /^\/sapi\//, says: 'no other part of sapi is offered here' },
]

const NOTHING = 'this exchange does not offer it; docs/binance.md lists what it offers'

/** The answer to a path or method that is not an endpoint. */
export function notThere(method: string, path: string): WireError {
  return notOffered(
    `${method} ${path}`,
    NOT_THERE.find((each) => each.path.test(path)),
  )
}

/** Requests of Binance's WebSocket API that this wire does not offer. */
const NO_REQUESTS: readonly NotThere[] = [
  { path: /^userDataStream\./, says: USER_DATA, status: GONE },
  { path: /^orderList\.place\.opo/, says: NO_OPO },
  { path: /^sor\./, says: NO_ROUTING },
  { path: /^ticker$/, says: NO_WINDOWS },
]

/** The answer to a name that is not a request of the WebSocket API. */
export function noRequest(method: string): WireError {
  return notOffered(
    method,
    NO_REQUESTS.find((each) => each.path.test(method)),
  )
}

function notOffered(asked: string, known: NotThere | undefined): WireError {
  const { says, status = 404 } = known ?? { says: NOTHING }
  const msg = `This operation is not supported: ${asked.slice(0, 120)}: ${says}.`
  return new WireError({ status, code: -1020, msg, reason: 'NOT_FOUND' })
}
