import type { GuardedClient, GuardedRequest, GuardedResponse } from './guarded-client.ts';

/** A request that an account's URL calls for. */
type FairRequest = GuardedRequest & { accountId: string };

/**
 * As the guarded client's, or: nothing was sent, because the account's share is in use or its host keeps
 * failing.
 */
export type FairResponse = GuardedResponse | { kind: 'waiting'; why: 'share' | 'host'; afterSeconds: number };

type Waiting = Extract<FairResponse, { kind: 'waiting' }>;

/** Requests to customers' URLs. An account's many or slow requests do not make others wait. */
export type FairClient = { request(input: FairRequest): Promise<FairResponse> };

/** Deliveries that consist of several requests each. */
export type FairDeliveries = FairClient & {
  /**
   * Reserves a place for a delivery to these URLs, so that it either begins with all of them or waits as a
   * whole; `leave` returns the place. An account has few places for hosts without a known success, and each
   * host has some.
   */
  enter(accountId: string, urls: readonly string[]): { kind: 'entered'; leave: () => void } | Waiting;
  /** True if a request to one of these URLs would not be sent now, because its host keeps failing. */
  rests(accountId: string, urls: readonly string[]): boolean;
};

/** Time after which a host without a known success must send data at a fair rate. */
const PATIENCE_MS = 3000;
/** Failures of a host, in a row, after which it rests; and of an account's hosts that have never responded. */
const HOST_STRIKES_MAX = 2;
const ACCOUNT_STRIKES_MAX = 5;
const REST_MS = 15_000;
const REST_MS_MAX = 300_000;
/**
 * A successful response resets a host, but an account recovers only with time: it may have any number of
 * hosts.
 */
const FORGOTTEN_AFTER_MS = 60_000;
const BUSY_SECONDS = 2;
const REMEMBERED_MAX = 10_000;
/** Deliveries in progress. As many as a batch has: a function, which has one batch at a time, never returns one. */
const UNKNOWN_DELIVERIES_MAX = 10;
/** Half of the concurrent deliveries of one process. */
const HOST_DELIVERIES_MAX = 100;

type FairOptions = { atOnceMax?: number; unknownMax?: number; isPatient?: boolean; now: () => number };

type State = {
  inFlight: number;
  /** Deliveries that entered: of an account, those to hosts that have not responded. */
  entered: number;
  strikes: number;
  struckAtMs: number;
  restUntilMs: number;
  hasResponded: boolean;
};

/**
 * Gives each account a share of the concurrent work, little time to hosts that never responded, and a rest to hosts that keep
 * failing: the remaining deliveries return to their queue immediately. State is kept per account, so that no account can make a
 * host rest for others. `atOnceMax` is an account's share of requests in this process, `unknownMax` its share of deliveries to
 * hosts that have not responded yet; `now` is the service clock, which also times the retries that a rest delays. `isPatient`
 * leaves hosts their time and never lets a host rest: the caller decides that.
 */
export function createFairClient(
  guarded: GuardedClient,
  {
    atOnceMax = Number.POSITIVE_INFINITY,
    unknownMax = UNKNOWN_DELIVERIES_MAX,
    isPatient = false,
    now,
  }: FairOptions,
): FairDeliveries {
  const states = new Map<string, State>();

  function stateOf(key: string): State {
    const known = states.get(key);
    if (known) {
      // Evicted last: any number of new hosts must not reset their account.
      states.delete(key);
      states.set(key, known);
      return known;
    }
    const [oldest] = states.size >= REMEMBERED_MAX ? states.keys() : [];
    if (oldest !== undefined) states.delete(oldest);
    const state = { inFlight: 0, entered: 0, strikes: 0, struckAtMs: 0, restUntilMs: 0, hasResponded: false };
    states.set(key, state);
    return state;
  }

  const hostKey = (accountId: string, url: string) => JSON.stringify([accountId, URL.parse(url)?.host ?? '']);

  const restEndOf = (account: State, host: State) =>
    Math.max(host.restUntilMs, host.hasResponded ? 0 : account.restUntilMs);

  return {
    rests: (accountId, urls) =>
      urls.some((url) => restEndOf(stateOf(accountId), stateOf(hostKey(accountId, url))) > now()),

    enter(accountId, urls) {
      const account = stateOf(accountId);
      const keys = [...new Set(urls.map((url) => hostKey(accountId, url)))];
      const known = keys.map((key) => states.get(key));
      const isFull = known.some((host) => host && host.entered >= HOST_DELIVERIES_MAX);
      const hasUnknown = known.some((host) => !host?.hasResponded);
      const isAccountFull = hasUnknown && account.entered >= unknownMax;
      if (isFull || isAccountFull) return { kind: 'waiting', why: 'share', afterSeconds: BUSY_SECONDS };
      const occupied = [...keys.map(stateOf), ...(hasUnknown ? [account] : [])];
      for (const state of occupied) state.entered += 1;
      const leave = () => {
        for (const state of occupied) state.entered -= 1;
      };
      return { kind: 'entered', leave };
    },

    async request({ accountId, ...input }) {
      const account = stateOf(accountId);
      const host = stateOf(hostKey(accountId, input.url));
      const restUntilMs = restEndOf(account, host);
      if (restUntilMs > now()) {
        return { kind: 'waiting', why: 'host', afterSeconds: Math.ceil((restUntilMs - now()) / 1000) };
      }
      if (account.inFlight >= atOnceMax) return { kind: 'waiting', why: 'share', afterSeconds: BUSY_SECONDS };
      account.inFlight += 1;
      try {
        const response = await guarded.request(
          host.hasResponded || isPatient ? input : { ...input, patienceMs: PATIENCE_MS },
        );
        if (isPatient) return response;
        if (response.kind === 'timeout' || response.kind === 'unreachable') {
          strike(host, HOST_STRIKES_MAX, now());
          if (!host.hasResponded) strike(account, ACCOUNT_STRIKES_MAX, now());
          else host.hasResponded = false;
        } else if (response.kind !== 'refused') {
          Object.assign(host, { strikes: 0, restUntilMs: 0, hasResponded: true });
        }
        return response;
      } finally {
        account.inFlight -= 1;
      }
    },
  };
}

function strike(state: State, strikesMax: number, nowMs: number): void {
  const isLongAgo = nowMs > Math.max(state.struckAtMs, state.restUntilMs) + FORGOTTEN_AFTER_MS;
  state.strikes = isLongAgo ? 1 : state.strikes + 1;
  state.struckAtMs = nowMs;
  const beyond = state.strikes - strikesMax;
  if (beyond >= 0) state.restUntilMs = nowMs + Math.min(REST_MS_MAX, REST_MS * 2 ** beyond);
}
