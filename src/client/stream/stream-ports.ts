/** What the stream's half of the client asks of the world. */
import type { Platform } from '../platform/ports.ts'

export type StreamPorts = Pick<Platform, 'openSocket' | 'schedule' | 'now' | 'wallTime' | 'random'>
