/** The platform functions that the stream part of the client needs. */
import type { Platform } from '../platform/ports.ts'

export type StreamPorts = Pick<Platform, 'openSocket' | 'schedule' | 'now' | 'wallTime' | 'random'>
