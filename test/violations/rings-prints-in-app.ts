// tool: rings; place: src/app/maintenance/verification/violation-prints.ts; says: printing
import { writeSync } from 'node:fs'

writeSync(1, '\u001b[2K')
