// tool: rings; place: src/app/node/violation-logs.ts; says: printing
import { pino } from 'pino'

export const wrong = pino()
