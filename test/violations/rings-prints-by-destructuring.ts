// tool: rings; place: src/app/reports/violation-prints.ts; says: printing
const { stderr } = process
export const wrong = (text: string) => stderr.write(text)
