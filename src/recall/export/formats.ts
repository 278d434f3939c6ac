export const EXPORT_FORMATS = [
  'markdown',
  'json',
  'jsonl',
  'finetune-openai',
  'finetune-anthropic',
  'html',
] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
