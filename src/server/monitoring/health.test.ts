import { describe, expect, test } from 'bun:test'
import { LoopMeter } from '../../engine/writer/meters.ts'
import { Health, SILENT_MS_MAX } from './health.ts'
import { healthAnswers } from './health-answers.ts'

function started(): { health: Health; clock: { ms: number }; loop: LoopMeter } {
  const clock = { ms: 1_000_000 }
  const health = new Health(() => clock.ms)
  const loop = new LoopMeter()
  health.watch('engine', loop)
  return { health, clock, loop }
}

const flags = (health: Health) => [health.live().ok, health.ready().ok]

describe('health', () => {
  test('a node is live from the start, ready only between opening and the signal to stop', () => {
    const { health } = started()
    expect(flags(health)).toEqual([true, false])
    health.enter('READY')
    expect(flags(health)).toEqual([true, true])
    health.enter('STOPPING')
    expect(flags(health)).toEqual([true, false])
    health.enter('FAILED')
    expect(flags(health)).toEqual([false, false])
  })

  test('a damaged journal is reported, does not stop the service, and does not heal by itself', () => {
    const { health } = started()
    health.enter('READY')
    expect(health.ready()).toMatchObject({ ok: true, journal: 'UNCHECKED' })
    health.journalFound('WHOLE')
    expect(health.live()).toMatchObject({ ok: true, journal: 'WHOLE' })
    health.journalFound('DAMAGED')
    health.journalFound('WHOLE')
    expect(health.ready()).toMatchObject({ ok: true, journal: 'DAMAGED' })
  })

  test('a phase only ever moves forward', () => {
    const { health } = started()
    health.enter('STOPPING')
    health.enter('READY')
    expect(health.phase).toBe('STOPPING')
  })

  test('a node whose thread hangs is neither live nor ready; a long replay or stop does not count as hanging', () => {
    const { health, clock, loop } = started()
    loop.lastTurnMs.set(clock.ms)
    clock.ms += SILENT_MS_MAX + 1
    expect(flags(health)).toEqual([true, false])
    health.enter('READY')
    expect([...flags(health), health.live().silentMs]).toEqual([false, false, { engine: SILENT_MS_MAX + 1 }])
    loop.lastTurnMs.set(clock.ms)
    expect(flags(health)).toEqual([true, true])
  })

  test('the public port shows yes or no and nothing else', async () => {
    const { health } = started()
    const ask = (path: string, detail: 'plain' | 'full', method = 'GET') =>
      healthAnswers(health, detail)(new Request('http://x/', { method }), path)
    const ready = ask('/health/ready', 'plain')
    expect([ready?.status, await ready?.text()]).toEqual([503, '{"status":"not ready"}\n'])
    expect(await ask('/health/live', 'full')?.json()).toEqual({
      status: 'live',
      journal: 'UNCHECKED',
      phase: 'STARTING',
      silentMs: {},
      degraded: [],
    })
    expect(await ask('/health/live', 'plain', 'HEAD')?.text()).toBe('')
    expect([ask('/health', 'plain'), ask('/health/live', 'plain', 'POST')]).toEqual([undefined, undefined])
  })
})
