/** All canaries (deliberate bugs), by name. */
import type { CanaryTest } from './canary-test.ts'
import { MACHINE_BUGS } from './machine-bugs.ts'
import { OWN_COMMAND_BUGS } from './own-command-bugs.ts'
import { REPLICA_BUGS } from './replica-bugs.ts'
import { STORAGE_BUGS } from './storage-bugs.ts'

export const CANARIES = {
  ...STORAGE_BUGS,
  ...MACHINE_BUGS,
  ...OWN_COMMAND_BUGS,
  ...REPLICA_BUGS,
} as const satisfies Readonly<Record<string, CanaryTest>>

export type CanaryName = keyof typeof CANARIES
