// tool: rings; place: src/app/cluster/violation-draws.ts; says: printing
import { drawOnOutput } from '../process/output.ts'

drawOnOutput('\u001b[2K')
