/** The log of the servers for operators. The shape is pino's, so that its logger can be used unchanged. */
export interface Logger {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}
