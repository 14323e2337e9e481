import { describe, expect, test } from 'bun:test'
import { limitKey } from '../../access/auth/address.ts'
import { AddressIntakes } from './address-intakes.ts'

const CONFIG = {
  framesPerAddressPerSecondMax: 1,
  framesPerAddressBurstMax: 10,
  receivedBytesPerAddressPerSecondMax: 100,
  receivedBytesPerAddressBurstMax: 1_000,
  messagesPerAddressPerSecondMax: 2,
  messagesPerAddressBurstMax: 20,
}

const opened = (intakes: AddressIntakes, address: string) => intakes.opened(limitKey(address))

/** Number of empty frames that are accepted before one is refused. */
function framesOf(addresses: readonly string[], intakes: AddressIntakes): number {
  for (let frames = 0; frames < 1_000; frames++) {
    const address = addresses[frames % addresses.length] as string
    const intake = opened(intakes, address)
    const isAdmitted = intake.admits(0, 1, 0)
    intakes.closed(limitKey(address))
    if (!isAdmitted) return frames
  }
  return Number.POSITIVE_INFINITY
}

describe('the traffic of an address over all its connections', () => {
  test('has a burst and then a rate per second, and counts nothing of another address', () => {
    const intakes = new AddressIntakes(CONFIG)
    const [one, same, other] = ['192.0.2.1', '192.0.2.1', '192.0.2.2'].map((each) => opened(intakes, each))
    expect([one?.admits(400, 5, 0), same?.admits(600, 5, 0)]).toEqual([true, true])
    expect([one?.admits(1, 0, 0), same?.admits(0, 1, 0), other?.admits(1_000, 10, 0)]).toEqual([
      false,
      false,
      true,
    ])
    expect([one?.admits(100, 1, 1_000), one?.admits(1, 0, 1_000)]).toEqual([true, false])
    expect([one?.admitsMessages(20, 0), same?.admitsMessages(1, 0), other?.admitsMessages(20, 0)]).toEqual([
      true,
      false,
      true,
    ])
  })

  test('is not counted when it is refused, so that a short message still has the rest', () => {
    const intake = opened(new AddressIntakes(CONFIG), '192.0.2.1')
    expect([intake.admitsMessages(15, 0), intake.admitsMessages(6, 0), intake.admitsMessages(5, 0)]).toEqual([
      true,
      false,
      true,
    ])
  })

  test('of IPv6 counts for its /64, and four and sixteen times as much for the /56 and the /48', () => {
    const many = (count: number, of: (at: number) => string) =>
      Array.from({ length: count }, (_, at) => of(at))
    for (const [addresses, most] of [
      [many(100, (at) => `2001:db8:1:1::${at + 1}`), 10],
      [many(100, (at) => `2001:db8:1:${at.toString(16)}::1`), 40],
      [many(100, (at) => `2001:db8:1:${(at * 256).toString(16)}::1`), 160],
      [many(50, (at) => `2001:db8:${at + 1}::1`), 500],
    ] as const) {
      expect([addresses[1], framesOf(addresses, new AddressIntakes(CONFIG))]).toEqual([addresses[1], most])
    }
  })

  test('is remembered for the last ten thousand addresses that have gone', () => {
    const intakes = new AddressIntakes(CONFIG)
    const leave = (address: string) => {
      const intake = opened(intakes, address)
      intake.admits(0, 10, 0)
      intakes.closed(address)
    }
    for (let i = 0; i <= 10_000; i++) leave(`10.1.${i >> 8}.${i & 255}`)
    expect(opened(intakes, '10.1.0.0').admits(0, 1, 0)).toBe(true)
    expect(opened(intakes, '10.1.0.1').admits(0, 1, 0)).toBe(false)
  })
})
