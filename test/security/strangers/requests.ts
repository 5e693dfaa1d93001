import { submittedChoices, submittedFields } from '../../../functions/unsubscribe/preferences-form.ts';
import { submittedQuiet } from '../../../functions/unsubscribe/quiet-choices.ts';
import { valuesByName } from '../../../infra/local/gateway/event.ts';
import { isLoopbackHost } from '../../../infra/local/gateway/local-access.ts';
import { parseSchedule } from '../../../shared/domain/timing/schedule.ts';
import { documentResponse } from '../../../shared/http/endpoint/document-response.ts';
import { readRequest } from '../../../shared/http/endpoint/event.ts';
import { readCursor } from '../../../shared/http/lists/cursor.ts';
import { pageLanguage } from '../../../shared/http/pages/page-language.ts';
import { findNearestName } from '../../../shared/http/problems/nearest-name.ts';
import { parseKeyText } from '../../../shared/tokens/api-key-text.ts';
import { readExpiringToken } from '../../../shared/tokens/expiring-token.ts';
import { readClickToken, readOpenToken } from '../../../shared/tokens/tracking-token.ts';
import { readUnsubscribeToken } from '../../../shared/tokens/unsubscribe-token.ts';
import { base64url, listOf, NOW_MS, type Parsers, rejecting, signer, times } from './inputs.ts';

const choices = (n: number) =>
  listOf(n, (i) => `type-${i}`).map((notificationId) => ({
    ...{ notificationId, channel: 'EMAIL' as const, current: 'instant' as const },
    options: ['instant' as const, 'off' as const],
  }));

/** Parts of a request that a stranger controls, apart from bodies with a schema. */
export const REQUESTS: Parsers = {
  'query string': {
    'many names': (n) => {
      const query = new URLSearchParams(listOf(n, (i) => `k${i}=1`).join('&'));
      return () => valuesByName(query);
    },
    'one name': (n) => {
      const query = new URLSearchParams(times(n, 'k=1&'));
      return () => valuesByName(query);
    },
  },
  'headers and query of an event': {
    'many names': (n) => {
      const named = Object.fromEntries(listOf(n, (i) => `k${i}`).map((name) => [name, '']));
      return () => readRequest({ headers: named, queryStringParameters: named, pathParameters: named });
    },
  },
  'header Host': { long: (n) => () => isLoopbackHost(times(n, 'a-.')) },
  'header Accept-Language': {
    'many languages': (n) => () => pageLanguage([], times(n, 'de;q=0.5,')),
    'one with many options': (n) => () => pageLanguage([], `de${times(n, ';q=0.5')}`),
  },
  'headers Accept-Encoding and If-None-Match': {
    'many entries': (n) => () =>
      documentResponse(
        '{}',
        { 'accept-encoding': times(n, 'x;q=0,'), 'if-none-match': times(n, 'W/"x",') },
        'r',
      ),
  },
  'API key': { long: (n) => () => parseKeyText(`nds_sk_${times(n, 'a_')}`) },
  cursor: {
    signed: (n) => () =>
      rejecting(() =>
        readCursor({ signer, binding: [] }, base64url(JSON.stringify(times(n, 'x'))) + times(43, 'x')),
      ),
    long: (n) => () => rejecting(() => readCursor({ signer, binding: [] }, times(n, 'x.'))),
  },
  'link tokens': {
    'many dots': (n) => async () => {
      const token = times(n, 'x.');
      await readUnsubscribeToken(signer, token);
      await readOpenToken(signer, token);
      await readClickToken(signer, token);
      await readExpiringToken(signer, 'email-change', token, NOW_MS);
    },
    'a long list': (n) => {
      const tags = Object.fromEntries(listOf(n, (i) => `t${i}`).map((name) => [name, [name]]));
      const token = `${base64url(JSON.stringify(['t', 'https://example.com', tags]))}.x`;
      return () => readClickToken(signer, token);
    },
  },
  'name of a field': { long: (n) => () => findNearestName(times(n, 'x'), ['email', 'number']) },
  'preferences form': {
    'many fields and choices': (n) => {
      const body = listOf(n, (i) => `k${i}=1`).join('&');
      const offered = choices(n);
      return () => {
        const given = submittedFields(body);
        submittedChoices(given, offered);
        submittedQuiet(given, { user: undefined, account: undefined, types: [], nowMs: NOW_MS });
      };
    },
  },
  schedule: { long: (n) => () => parseSchedule(times(n, '2026-'), { nowMs: NOW_MS }) },
};
