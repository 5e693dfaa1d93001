import { config } from './service.ts';

type Call = { method?: string; path: string; headers?: Record<string, string>; body?: string | undefined };

const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;

/** A call as curl, with the key in a variable. */
export function curlOf({ method = 'POST', path, headers = {}, body }: Call, keyName = 'NDS_KEY'): string {
  return [
    `curl -s${method === 'POST' ? '' : ` -X ${method}`} ${quoted(`${config.value?.apiUrl}${path}`)}`,
    `-H "Authorization: Bearer $${keyName}"`,
    ...Object.entries(headers).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body !== undefined ? [`-d ${quoted(body)}`] : method === 'POST' ? ["-d ''"] : []),
  ].join(' ');
}
