import type { DeliveryByChannel, DeliveryOutcome } from '../../../../shared/channels/channel.ts';
import type { Account } from '../../../../shared/database/entities/accounts/accounts.ts';
import type { StoredLogHead } from '../../../../shared/database/entities/logs/log-head.ts';
import type { Taken } from '../../../../shared/database/entities/usage/phone-caps.ts';
import type { Profile } from '../../../../shared/domain/users/profile.ts';
import type { Channel } from '../../../../shared/schemas/channel.ts';
import type { FailureCode } from '../../../../shared/schemas/logs/failure-codes.ts';
import type { LogFields } from '../../../../shared/schemas/logs/log-record.ts';

/**
 * A message that is ready for its provider, or the reason why there is none. `preview` is its content in the
 * log; `notes` name what was omitted from it, and `missing` its variables without a value.
 */
export type Built<C extends Channel> =
  | {
      kind: 'ready';
      delivery: DeliveryByChannel[C];
      preview: string;
      notes: readonly string[];
      missing: readonly string[] | undefined;
      /**
       * Reserves a place for what the message loads from hosts that customers choose. A message that waits for one, or
       * whose host keeps failing, takes no turn of the deployment's rate.
       */
      enter?: () => Entered;
      /** Takes a place under the caps for a message, just before its provider is called. */
      take?: (account: Account, nowMs: number) => Promise<Taken>;
      /** For how long it is tried; absent: a number of attempts. */
      triedForMs?: number;
      /** Runs once the provider's final response is recorded. */
      settled?: (outcome: DeliveryOutcome<C>) => Promise<void>;
    }
  | { kind: 'rejected'; code: FailureCode<C>; internal: string }
  /** Withheld, for example because a condition is not met: recorded without a failure. */
  | { kind: 'withheld'; fields: LogFields };

/** `idle`: nothing will be sent, the provider returns the reason. */
type Entered =
  | { kind: 'entered'; leave: () => void }
  | { kind: 'idle' }
  | { kind: 'waiting'; afterSeconds: number };

/** The input for a channel's message. */
export type BuildContext = {
  head: StoredLogHead;
  /** The stored user, with the contact data of this request. */
  user: Profile;
  /** The number of this call to the provider, from 1. */
  attempt: number;
  nowMs: number;
  timeLeftMs: () => number;
  /** When quiet hours begin, if they apply. */
  validUntilMs?: number | undefined;
  /** When a channel that waited for its step or for the end of quiet hours was decided. */
  startedAtMs?: number | undefined;
  /** The tokens of a push that did not get it yet; absent for all. */
  tokens?: string[];
};

/** Returns the message of a channel from a notification. Throws on faults of this service. */
export type Build<C extends Channel, D> = (deps: D, context: BuildContext) => Promise<Built<C>>;
