import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { ROUTES } from '../../../functions/routes.ts';
import { findEncoding } from '../../../shared/http/endpoint/document-response.ts';
import type { LocalRoutes } from '../gateway/gateway.ts';
import { escaped } from './guide-pages.ts';

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

/** The list of operations is there until Scalar, which takes seconds to start, replaces it. */
const HTML = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="data:,">
<link rel="preload" as="script" href="${SCRIPT}">
<title>API reference</title>
<style>#reference > main { max-width: 960px; margin: 24px auto; padding: 0 16px; font: 14px/22px system-ui, sans-serif }</style>
</head>
<body>
<div id="reference"><main>
<h1>API reference</h1>
<ul>
${ROUTES.map(({ method, path, summary }) => `<li><code>${method} ${escaped(path)}</code> ${escaped(summary)}</li>`).join('\n')}
</ul>
</main></div>
<script src="${SETUP}" defer></script>
</body>
</html>
`;

/** Scalar's greys and method colours have less contrast than 4.5:1. */
const CONTRAST = `.light-mode { --scalar-color-3: #5f6368; --scalar-color-green: #00703a; --scalar-color-orange: #a83800; --scalar-color-red: #b90000 }
.dark-mode { --scalar-color-3: #a8adb5; --scalar-color-red: #ff8a84; --scalar-color-blue: #7fb8ff; --scalar-color-purple: #c3a6ff }
.sidebar-search-placeholder { color: var(--scalar-color-2) }`;

/** The page loads nothing from other servers and sends nothing to them: no fonts, proxy, assistant or telemetry. */
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
  customCss: CONTRAST,
};

type File = { bytes: Buffer; contentType: string };

/** The interactive reference at `/docs`: Scalar with the document that the run serves. */
export function referenceRoutes(): LocalRoutes {
  return async ({ method, path, raw }) => {
    if (method !== 'GET' || !(path === PAGE || path.startsWith(`${PAGE}/`))) return undefined;
    const file = await files[path.replace(/\/$/, '')]?.();
    if (!file) return undefined;
    const encoding = findEncoding(raw.headers['accept-encoding']?.toString(), ['br']);
    const headers = {
      ...PAGE_HEADERS,
      'content-type': file.contentType,
      vary: 'accept-encoding',
      ...(encoding && { 'content-encoding': encoding }),
    };
    const bytes = encoding ? file.bytes : brotliDecompressSync(file.bytes);
    return { statusCode: 200, headers, body: bytes.toString('base64'), isBase64Encoded: true };
  };
}

/** Runs Scalar after the first page is drawn. */
const START = `requestAnimationFrame(() => setTimeout(() => {
  const script = Object.assign(document.createElement('script'), { src: '${SCRIPT}' });
  script.onload = () => {
    document.querySelector('#reference').replaceChildren();
    Scalar.createApiReference('#reference', ${JSON.stringify(CONFIGURATION)});
  };
  document.head.append(script);
}));`;

let scalar: Promise<File> | undefined;

/** The page and its setup do not wait for Scalar. */
const files: Readonly<Record<string, () => File | Promise<File>>> = {
  [PAGE]: () => fileOf(HTML, 'text/html'),
  [SETUP]: () => fileOf(START, 'text/javascript'),
  [SCRIPT]: () => {
    scalar ??= readScalar().then((text) => fileOf(text, 'text/javascript'));
    return scalar;
  },
};

function fileOf(text: string, type: string): File {
  const params = { [constants.BROTLI_PARAM_QUALITY]: 5 };
  return { bytes: brotliCompressSync(text, { params }), contentType: `${type}; charset=utf-8` };
}

/** The plugin contains Scalar in one file, which it passes to the server when it registers its routes. */
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
