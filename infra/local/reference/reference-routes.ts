import { brotliCompressSync, constants } from 'node:zlib';
import type { LocalRoutes } from '../gateway/gateway.ts';

const PAGE = '/docs';
const SCRIPT = `${PAGE}/js/scalar.js`;
const SETUP = `${PAGE}/setup.js`;

/** Scalar adds styles at run time, and its search runs in a worker from inline text. */
const PAGE_HEADERS = {
  'content-security-policy':
    "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; font-src 'self' data:; connect-src 'self'; worker-src 'self' blob:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-cache',
} as const;

const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<title>API reference</title>
</head>
<body>
<div id="reference"></div>
<script src="${SCRIPT}"></script>
<script src="${SETUP}"></script>
</body>
</html>
`;

/** Nothing is loaded from or sent to another server: no fonts, no proxy, no assistant, no telemetry. */
const CONFIGURATION = {
  url: '/openapi.json',
  servers: [
    { url: '/_sandbox/studio/api', description: 'This local run; it adds its own secret key' },
    { url: '/', description: 'This local run, with a key that you enter' },
  ],
  withDefaultFonts: false,
  telemetry: false,
  agent: { disabled: true },
  mcp: { disabled: true },
  hideClientButton: true,
  showDeveloperTools: 'never',
  authentication: { preferredSecurityScheme: 'secretKey' },
  defaultHttpClient: { targetKey: 'shell', clientKey: 'curl' },
  metaData: { title: 'API reference' },
};

type File = { bytes: Buffer; contentType: string };

/** The interactive reference at `/docs`: Scalar with the document that the run serves. */
export function referenceRoutes(): LocalRoutes {
  let files: Promise<ReadonlyMap<string, File>> | undefined;
  return async ({ method, path }) => {
    if (method !== 'GET' || !(path === PAGE || path.startsWith(`${PAGE}/`))) return undefined;
    files ??= readFiles();
    const file = (await files).get(path.replace(/\/$/, ''));
    if (!file) return undefined;
    const headers = { ...PAGE_HEADERS, 'content-type': file.contentType, 'content-encoding': 'br' };
    return { statusCode: 200, headers, body: file.bytes.toString('base64'), isBase64Encoded: true };
  };
}

async function readFiles(): Promise<ReadonlyMap<string, File>> {
  const setup = `Scalar.createApiReference('#reference', ${JSON.stringify(CONFIGURATION)});`;
  return new Map([
    [PAGE, fileOf(HTML, 'text/html')],
    [SETUP, fileOf(setup, 'text/javascript')],
    [SCRIPT, fileOf(await readScalar(), 'text/javascript')],
  ]);
}

function fileOf(text: string, type: string): File {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  return { bytes: brotliCompressSync(text, { params }), contentType: `${type}; charset=utf-8` };
}

/**
 * The plugin contains Scalar in one file, which it passes to the server on which it registers its routes.
 */
async function readScalar(): Promise<string> {
  const { default: register } = await import('@scalar/fastify-api-reference');
  type Handler = (request: unknown, reply: unknown) => unknown;
  const handlers = new Map<string, Handler>();
  const server = {
    hasPlugin: () => false,
    route: ({ url, handler }: { url: string; handler: Handler }) => handlers.set(url, handler),
  };
  const options = { routePrefix: PAGE, configuration: { url: CONFIGURATION.url } };
  (register as unknown as (server: unknown, options: unknown, done: () => void) => void)(
    server,
    options,
    () => {},
  );
  let sent = '';
  const reply = { header: () => reply, send: (text: string) => (sent = text) };
  handlers.get(SCRIPT)?.({}, reply);
  if (sent === '') throw new Error(`@scalar/fastify-api-reference no longer serves ${SCRIPT}.`);
  return sent;
}
