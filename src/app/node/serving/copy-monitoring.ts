/**
 * Health and metrics of a process that copies a journal and executes nothing: it has no engine of its own, no
 * clients, and no clock but the machine's.
 */
import { ClockBoard } from '../../../engine/writer/clock-board.ts'
import { EngineMeter } from '../../../engine/writer/meters.ts'
import { ServerClock } from '../../../engine/writer/server-clock.ts'
import { Traffic } from '../../../server/monitoring/traffic.ts'
import type { TimeMs } from '../../../units/quantities.ts'
import { storageOf } from '../storage/storage.ts'
import { Monitoring, type MonitoringOptions } from './monitoring.ts'

/** Opens the server at once. Throws `PortFault`. */
export function openCopyMonitoring(
  options: Pick<MonitoringOptions, 'settings' | 'version' | 'log' | 'cluster' | 'standby'>,
): Monitoring {
  return new Monitoring({
    ...options,
    engineMeter: new EngineMeter(),
    certificateEndMs: undefined,
    clock: new ServerClock(new ClockBoard(), {
      wall: () => Date.now() as TimeMs,
      monotonicMs: () => performance.now(),
    }),
    storage: storageOf(options.settings).use,
    traffic: new Traffic(),
    gateways: undefined,
  })
}
