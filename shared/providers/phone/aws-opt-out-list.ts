import {
  DeleteOptedOutNumberCommand,
  PinpointSMSVoiceV2Client,
  PutOptedOutNumberCommand,
  ResourceNotFoundException,
} from '@aws-sdk/client-pinpoint-sms-voice-v2';
import { requestLimits } from '../../runtime/request-limits.ts';

/** Numbers blocked by the SMS provider, in addition to the opt-outs in this service's records. */
export type OptOutList = {
  /** Adds a number (E.164) to the list; repeating it has no effect. */
  put(number: string): Promise<void>;
  /** Removes a number from the list; repeating it has no effect. */
  remove(number: string): Promise<void>;
};

/** An opt-out list of this account's End User Messaging, by its name. */
export function createAwsOptOutList(name: string, client = newClient()): OptOutList {
  const named = (number: string) => ({ OptOutListName: name, OptedOutNumber: number });
  return {
    async put(number) {
      await client.send(new PutOptedOutNumberCommand(named(number)));
    },
    async remove(number) {
      try {
        await client.send(new DeleteOptedOutNumberCommand(named(number)));
      } catch (error) {
        if (!(error instanceof ResourceNotFoundException)) throw error;
      }
    },
  };
}

function newClient(): PinpointSMSVoiceV2Client {
  return new PinpointSMSVoiceV2Client({
    maxAttempts: 3,
    requestHandler: requestLimits(),
  });
}
