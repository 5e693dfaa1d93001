import { randomUUID } from 'node:crypto';
import type { Answer } from '../../../shared/http/answer.ts';

/** Responses that API Gateway gives without a function, with its own bodies. */
const MESSAGES = {
  400: 'Bad Request',
  413: 'Request Entity Too Large',
  429: 'Too Many Requests',
  431: 'Request Header Fields Too Large',
  500: 'Internal Server Error',
  503: 'Service Unavailable',
} as const;

/** Returns one of them. */
export function gatewayAnswer(
  statusCode: keyof typeof MESSAGES,
  headers: Record<string, string> = {},
): Answer {
  const requestId = randomUUID();
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'apigw-requestid': requestId, ...headers },
    body: JSON.stringify({ message: MESSAGES[statusCode] }),
  };
}
