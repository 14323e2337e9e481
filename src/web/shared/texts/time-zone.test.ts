import { afterEach, expect, test } from 'bun:test'
import { momentOf, showZone, zonedIso, zoneName, zoneOf } from './time-zone.ts'

const SUMMER = Date.parse('2026-07-01T22:30:15.250Z')

afterEach(() => showZone('UTC'))

test('times are UTC wherever the reader is, until the zone of the machine is chosen', () => {
  expect([zonedIso(SUMMER), zoneName(SUMMER)]).toEqual(['2026-07-01T22:30:15.250', 'UTC'])
  expect(momentOf('2026-07-01T22:30')).toBe(Date.parse('2026-07-01T22:30Z'))
  showZone('LOCAL')
  const there = new Date(SUMMER)
  expect(zonedIso(SUMMER).slice(11, 16)).toBe(
    [there.getHours(), there.getMinutes()].map((figure) => String(figure).padStart(2, '0')).join(':'),
  )
  expect(momentOf('2026-07-01T22:30')).toBe(new Date(2026, 6, 1, 22, 30).getTime())
})

test('a moment converts back from the clock of the zone, summer and winter, and the zone shows its offset from UTC', async () => {
  const script = `
    import { momentOf, showZone, zonedIso, zoneName } from ${JSON.stringify(`${import.meta.dir}/time-zone.ts`)}
    showZone('LOCAL')
    const times = ['2026-07-01T22:30', '2026-12-01T22:30'].map((text) => momentOf(text))
    console.log(JSON.stringify(times.map((time) => [new Date(time).toISOString(), zonedIso(time), zoneName(time)])))`
  const shown = (zone: string) => {
    const env = { ...process.env, TZ: zone }
    const { stdout } = Bun.spawnSync([process.execPath, '-e', script], { env, stderr: 'inherit' })
    return JSON.parse(stdout.toString())
  }
  expect(shown('Asia/Kolkata')).toEqual([
    ['2026-07-01T17:00:00.000Z', '2026-07-01T22:30:00.000', '+05:30'],
    ['2026-12-01T17:00:00.000Z', '2026-12-01T22:30:00.000', '+05:30'],
  ])
  expect(shown('America/New_York')).toEqual([
    ['2026-07-02T02:30:00.000Z', '2026-07-01T22:30:00.000', '-04:00'],
    ['2026-12-02T03:30:00.000Z', '2026-12-01T22:30:00.000', '-05:00'],
  ])
})

test('a stored zone is validated', () => {
  expect(['LOCAL', 'UTC', 'Mars', undefined].map(zoneOf)).toEqual(['LOCAL', 'UTC', 'UTC', 'UTC'])
})
