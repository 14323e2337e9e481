/**
 * Handling of the node's clock: reports when it is not trusted and what to do, and accepts it if a start
 * option requests that.
 */

import { isoTime } from '../../contract/time.ts'
import { EngineFault } from '../../engine/port/fault.ts'
import type { EnginePort } from '../../engine/port/ports.ts'
import type { ClockReading } from '../../engine/writer/journal-clock.ts'
import type { Logger } from '../../server/common/logger.ts'

/** The actor in the journal's audit trail for `--accept-clock`. */
const START_ACTOR = 'start'

/** Logs whenever the clock is no longer trusted, or trusted again. */
export function clockLogger(log: Logger, dataDirectory: string): (reading: ClockReading) => void {
  const wayOn =
    'new orders are refused. If the clock is right: ' +
    `bourse admin --data ${dataDirectory} clock accept --yes, or start once with --accept-clock. ` +
    'If it is wrong: correct it, and orders are accepted again automatically'
  let wasTrusted = true
  return (reading) => {
    const { isTrusted } = reading
    if (isTrusted === wasTrusted) return
    wasTrusted = isTrusted
    const fields = shown(reading)
    if (isTrusted) log.warn(fields, 'the clock is trusted again: new orders are accepted')
    else log.error({ alarm: 'CLOCK_NOT_TRUSTED', ...fields }, `the clock is too far ahead: ${wayOn}`)
  }
}

/**
 * Accepts the clock's time, by a command of the journal. Rejects with `EngineFault` when the engine cannot
 * accept the command.
 */
export async function acceptClock(
  engine: Pick<EnginePort, 'submit'>,
  status: () => ClockReading,
  log: Logger,
): Promise<void> {
  const reading = status()
  if (reading.isTrusted) return
  const operator = { actor: START_ACTOR, note: '--accept-clock' }
  try {
    await engine.submit({ kind: 'AcceptClock', operator, clock: reading.wall })
  } catch (error) {
    if (!(error instanceof EngineFault && error.kind === 'CLOCK_NOT_TRUSTED')) throw error
    log.error(shown(reading), 'the clock has jumped again: it was not accepted')
  }
}

function shown({ wall, time }: ClockReading): object {
  return { clock: isoTime(wall), serverTime: isoTime(time), aheadMs: wall - time }
}
