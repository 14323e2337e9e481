import { COMMANDS } from './commands.ts'
import { PAGE } from './page.ts'

export const TURKISH = { page: PAGE, commands: COMMANDS }
