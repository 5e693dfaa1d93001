import { randomUUID } from 'node:crypto';
import * as v from 'valibot';
import { type Answer, jsonAnswer } from '../../../shared/http/answer.ts';
import { isoOf } from '../../../shared/runtime/clock.ts';
import { AppError } from '../../../shared/runtime/errors.ts';
import { parseClockMs, parseDurationMs } from '../clock/local-clock.ts';
import type { GatewayRequest } from '../gateway/event.ts';
import type { Machine } from '../machine.ts';

const ClockChange = v.union([v.object({ now: v.string() }), v.object({ advance: v.string() })]);

/** The sandbox's own endpoints below /_sandbox: what the providers were given, and the clock (docs/sandbox.md). */
export function createSandboxRoutes(
  machine: Machine,
): (request: GatewayRequest) => Promise<Answer | undefined> {
  return async ({ method, path, query, body }) => {
    if (!path.startsWith('/_sandbox/')) return undefined;
    const id = randomUUID();
    switch (`${method} ${path}`) {
      case 'GET /_sandbox/messages':
        return jsonAnswer(200, { messages: machine.outbox.list(filterOf(query)) }, id);
      case 'DELETE /_sandbox/messages':
        machine.outbox.clear();
        return { statusCode: 204, headers: { 'x-request-id': id }, body: '' };
      case 'GET /_sandbox/clock':
        return jsonAnswer(200, { now: isoOf(machine.clock.now()) }, id);
      case 'POST /_sandbox/clock':
        await moveClock(machine, body.toString('utf8'));
        return jsonAnswer(200, { now: isoOf(machine.clock.now()) }, id);
      default:
        return undefined;
    }
  };
}

function filterOf(query: URLSearchParams): { channel?: string; to?: string; trackingId?: string } {
  const [channel, to, trackingId] = ['channel', 'to', 'trackingId'].map(
    (name) => query.get(name) ?? undefined,
  );
  return { ...(channel ? { channel } : {}), ...(to ? { to } : {}), ...(trackingId ? { trackingId } : {}) };
}

/** Moves the clock forward and answers when everything that became due is done. */
async function moveClock(machine: Machine, body: string): Promise<void> {
  const target = targetOf(body);
  if (!target || !(await machine.moveClock(target))) {
    throw new AppError('INVALID_REQUEST', {
      message:
        'The clock takes now (ISO 8601, not before its time) or advance (an ISO 8601 duration in weeks to seconds), until the year 2199.',
      fix: 'Send {"advance": "PT1H"} or {"now": "2027-01-01T00:00:00Z"}.',
    });
  }
}

/** The time that a body asks for, from the clock's own; undefined when it asks for none. */
function targetOf(body: string): ((nowMs: number) => number) | undefined {
  const parsed = v.safeParse(v.pipe(v.string(), v.rawTransform(parseJson), ClockChange), body);
  if (!parsed.success) return undefined;
  if ('now' in parsed.output) {
    const targetMs = parseClockMs(parsed.output.now);
    return targetMs === undefined ? undefined : () => targetMs;
  }
  const durationMs = parseDurationMs(parsed.output.advance);
  return durationMs === undefined ? undefined : (nowMs) => nowMs + durationMs;
}

function parseJson({ dataset, addIssue, NEVER }: v.RawTransformContext<string>): unknown {
  try {
    return JSON.parse(dataset.value);
  } catch {
    addIssue();
    return NEVER;
  }
}
