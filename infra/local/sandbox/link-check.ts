import * as v from 'valibot';
import { guardedClient } from '../../../shared/providers/clients/http-clients.ts';
import { mapAtMost } from '../../../shared/runtime/async/map-at-most.ts';
import { resolve } from '../../../shared/runtime/dependency.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { findJson } from '../../../shared/runtime/values/find-json.ts';

const Links = v.strictObject({
  urls: v.pipe(v.array(v.pipe(v.string(), v.maxLength(8000))), v.maxLength(100)),
});

const CONCURRENT = 8;
const TIMEOUT_MS = 5000;
/** A link of the service itself records a click or ends a subscription. */
const RECORDED = /\/(?:unsubscribe|track)\//;

const REFUSED = 'The address is malformed or private, or does not begin with https.';

/** Requests the links of an email, each once, without following redirects; only addresses that the service itself may reach. */
export async function checkLinks(body: string): Promise<{ links: { url: string; result: string }[] }> {
  const parsed = v.safeParse(Links, findJson(body));
  if (!parsed.success)
    throw new AppError('INVALID_REQUEST', {
      message: 'The body must have urls: at most 100 texts of at most 8,000 characters.',
      fix: 'Send {"urls": ["https://example.com/"]}.',
    });
  const urls = [...new Set(parsed.output.urls)];
  const links = await mapAtMost(CONCURRENT, urls, async (url) => ({ url, result: await resultOf(url) }));
  return { links };
}

async function resultOf(url: string): Promise<string> {
  if (url.startsWith(process.env.PUBLIC_BASE_URL ?? ' ') && RECORDED.test(url))
    return 'not requested: it would record a click';
  const answer = await resolve(guardedClient).request({ url, timeoutMs: TIMEOUT_MS, sizeBytesMax: 1024 });
  switch (answer.kind) {
    case 'answer':
      return answer.status >= 300 && answer.status < 400
        ? `${answer.status} to ${answer.headers.location ?? 'nowhere'}`
        : String(answer.status);
    case 'refused':
      return REFUSED;
    case 'unreachable':
      return `unreachable: ${answer.reason}`;
    default:
      return 'no response in time';
  }
}
