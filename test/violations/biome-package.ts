// tool: biome; place: src/views/violation-package.ts; says: noRestrictedImports
import { z } from 'zod'

export const wrong = z.string()
