// tool: rings; place: src/gateway/public/violation-package.ts; says: package
import { Database } from 'express'

export const wrong = Database
