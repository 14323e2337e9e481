// tool: rings; place: src/client/platform/violation-node.ts; says: package
import { createHmac } from 'node:crypto'
export const wrong = createHmac
