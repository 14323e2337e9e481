// tool: biome; place: src/client/violation-package.ts; says: noRestrictedImports
import { z } from 'zod'
export const wrong = z
