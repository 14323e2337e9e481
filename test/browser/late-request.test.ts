import { expect, test } from 'bun:test'
import { isLateRequest } from './support/late-request.ts'

const SENT = 1_700_000_000_000

test('a refused request is late once its own window is over, and no other refusal is taken for one', () => {
  const url = `http://127.0.0.1/api/v3/account/commission?timestamp=${SENT}&recvWindow=5000`
  const seen = [
    isLateRequest(url, 401, SENT + 5_001),
    isLateRequest(url, 401, SENT + 5_000),
    isLateRequest(url, 400, SENT + 9_000),
    isLateRequest('http://127.0.0.1/account/v1/session', 401, SENT + 9_000),
    isLateRequest(`http://127.0.0.1/api/v3/order?timestamp=${SENT}`, 401, SENT + 9_000),
    isLateRequest('', 401, SENT),
  ]
  expect(seen).toEqual([true, false, false, false, false, false])
})
