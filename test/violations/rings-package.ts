// tool: rings; place: src/server/public/violation-package.ts; says: package
import { Database } from 'express'

export const wrong = Database
