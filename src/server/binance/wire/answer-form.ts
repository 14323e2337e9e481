/** The form of answers and messages: times in milliseconds, JSON. Any other one is refused by name. */
import { WireError } from './wire-error.ts'

const TIME_UNIT = ['timeUnit', 'MILLISECOND'] as const
const FORMAT = ['responseFormat', 'json'] as const

/**
 * The reason why the form requested in the address of a WebSocket is not offered; undefined if it is offered.
 */
export function addressFormFault(query: string): WireError | undefined {
  const asked = new URLSearchParams(query)
  for (const [name, only] of [TIME_UNIT, FORMAT]) {
    const value = asked.get(name)
    if (value !== null && value.toLowerCase() !== only.toLowerCase()) return notOffered(name, only)
  }
  return undefined
}

/** The reason why the form requested in the headers is not offered; undefined if it is offered. */
export function headerFormFault(headers: Headers): WireError | undefined {
  const [name, only] = TIME_UNIT
  const unit = headers.get('x-mbx-time-unit')
  if (unit !== null && unit.toUpperCase() !== only) return notOffered(name, only)
  return headers.has('x-mbx-sbe') ? notOffered(...FORMAT) : undefined
}

function notOffered(name: string, only: string): WireError {
  const msg = `This operation is not supported: ${name} other than ${only}.`
  return new WireError({
    status: 400,
    code: -1020,
    msg,
    reason: 'UNSUPPORTED_VALUE',
    beside: { parameter: name },
  })
}
