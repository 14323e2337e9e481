import { expect, test } from 'bun:test'
import {
  KeptProcesses,
  type KeptProcessNote,
  LAST_PAUSE_MS_MAX,
  REPLACE_PAUSE_MS_MAX,
  STEADY_MS,
  STOP_MS_MAX,
} from './kept-processes.ts'

type Ended = { readonly name: string; readonly how: 'stop' | 'kill' }

/** Processes that end, and time that passes, only when a test makes them. */
function keep(count: number, endsWhenAsked = true) {
  const notes: KeptProcessNote[] = []
  const asked: Ended[] = []
  const exits = new Map<string, (code: number) => void>()
  const due: { readonly task: () => void; readonly at: number }[] = []
  const clock = { now: 0 }
  const processes = new KeptProcesses({
    names: Array.from({ length: count }, (_, i) => `process-${i + 1}`),
    start: (name) => {
      const { promise: exited, resolve } = Promise.withResolvers<number>()
      exits.set(name, resolve)
      return {
        exited,
        stop: () => {
          asked.push({ name, how: 'stop' })
          if (endsWhenAsked) resolve(0)
        },
        kill: () => {
          asked.push({ name, how: 'kill' })
          resolve(137)
        },
      }
    },
    onNote: (note) => notes.push(note),
    scheduler: {
      later: (task, delayMs) => {
        const entry = { task, at: clock.now + delayMs }
        due.push(entry)
        return () => {
          const place = due.indexOf(entry)
          if (place >= 0) due.splice(place, 1)
        }
      },
    },
    now: () => clock.now,
  })
  const settle = (): Promise<void> => new Promise(setImmediate)
  return {
    processes,
    notes,
    asked,
    due,
    pass: async (ms: number) => {
      clock.now += ms
      for (const entry of due.filter(({ at }) => at <= clock.now)) {
        due.splice(due.indexOf(entry), 1)
        entry.task()
      }
      await settle()
    },
    exit: async (name: string, code: number) => {
      exits.get(name)?.(code)
      await settle()
    },
  }
}

test('a process that ran for a while is replaced at once, and the others are not touched', async () => {
  const { processes, notes, pass, exit } = keep(2)
  await pass(STEADY_MS)
  await exit('process-1', 75)
  expect(notes.slice(2)).toEqual([
    { kind: 'ProcessEnded', name: 'process-1', exitCode: 75, pauseMs: 0 },
    { kind: 'ProcessStarted', name: 'process-1' },
  ])
  expect(processes.running).toEqual(['process-2', 'process-1'])
})

test('a process that cannot start is tried again after pauses that double up to five seconds', async () => {
  const { notes, pass, exit } = keep(2)
  const pauses: number[] = []
  for (let i = 0; i < 8; i++) {
    await exit('process-1', 1)
    const note = notes.at(-1)
    if (note?.kind === 'ProcessEnded') pauses.push(note.pauseMs)
    await pass(note?.kind === 'ProcessEnded' ? note.pauseMs : 0)
    expect(notes.at(-1)).toEqual({ kind: 'ProcessStarted', name: 'process-1' })
  }
  expect(pauses).toEqual([100, 200, 400, 800, 1_600, 3_200, REPLACE_PAUSE_MS_MAX, REPLACE_PAUSE_MS_MAX])
})

test('where all processes are killed again and again, one runs again within a second each time', async () => {
  const { processes, notes, pass, exit } = keep(2)
  for (let round = 0; round < 8; round++) {
    for (const name of processes.running) await exit(name, 137)
    expect(processes.running).toEqual([])
    const last = notes.at(-1)
    expect(last?.kind === 'ProcessEnded' && last.pauseMs <= LAST_PAUSE_MS_MAX).toBe(true)
    await pass(LAST_PAUSE_MS_MAX)
    expect(processes.running.length).toBeGreaterThan(0)
  }
})

test('a stop asks each process to end, ends those that do not, and replaces none', async () => {
  const { processes, asked, notes, pass } = keep(2, false)
  const stopped = processes.stop()
  await pass(STOP_MS_MAX - 1)
  expect(asked.map(({ how }) => how)).toEqual(['stop', 'stop'])
  await pass(1)
  await stopped
  expect(asked.slice(2).map(({ how }) => how)).toEqual(['kill', 'kill'])
  expect([processes.running, notes.length]).toEqual([[], 2])
})

test('a stop does not wait for the pause before a process is replaced', async () => {
  const { processes, due, exit } = keep(1)
  await exit('process-1', 1)
  expect(due).toHaveLength(1)
  await processes.stop()
  expect([processes.running, due]).toEqual([[], []])
})
