import type { Machine } from '../platform/machine.ts'

/** Where traces go. */
export interface TelemetryTarget {
  url: string
  headers: Record<string, string>
  service: string
}

/** As OpenTelemetry's own variables say; nothing where none names an endpoint. */
export function telemetryTarget(env: Machine['env']): TelemetryTarget | undefined {
  if (env.OTEL_SDK_DISABLED?.toLowerCase() === 'true' || env.OTEL_TRACES_EXPORTER === 'none') return undefined
  const base = env.OTEL_EXPORTER_OTLP_ENDPOINT?.trim().replace(/\/+$/, '')
  const url = env.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT?.trim() || (base && `${base}/v1/traces`)
  if (!url || !/^https?:\/\//.test(url) || !URL.canParse(url)) return undefined
  const given = [env.OTEL_EXPORTER_OTLP_HEADERS, env.OTEL_EXPORTER_OTLP_TRACES_HEADERS]
  return {
    url,
    headers: Object.fromEntries(given.flatMap(headersIn)),
    service: env.OTEL_SERVICE_NAME?.trim() || 'recollect',
  }
}

/** `name=value,name=value`, the values escaped as in an address. */
function headersIn(text = ''): [string, string][] {
  return text.split(',').flatMap((pair): [string, string][] => {
    const [, name = '', value = ''] = /^\s*([\w-]+)\s*=\s*(.*?)\s*$/.exec(pair) ?? []
    if (name === '') return []
    try {
      return [[name.toLowerCase(), decodeURIComponent(value)]]
    } catch {
      return [[name.toLowerCase(), value]]
    }
  })
}
