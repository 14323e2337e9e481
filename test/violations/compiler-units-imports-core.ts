// tool: compiler; place: src/units/violation.ts; says: TS6307
import type { Command } from '../core/commands/command.ts'
export type Wrong = Command
