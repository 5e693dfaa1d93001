import { deliveryEvent } from '../shared/channels/email/ses-event-fixtures.ts';
import type { Deployment } from './templates.ts';

type EmailInput = {
  ConfigurationSetName?: string;
  EmailTags?: { Name: string; Value: string }[];
  Destination?: { ToAddresses?: string[] };
};

/** Simulates SES and the phone service after they accept an email, a text message or a call. */
export function createProviderEvents(
  deployment: Deployment,
  publish: (topicArn: string, message: object, service: string) => void,
) {
  /** Publishes to the topics that a configuration set sends events of this kind to. */
  function toDestinations(
    service: string,
    { set, kind }: { set: string | undefined; kind: string },
    message: object,
  ): void {
    for (const { EventDestination } of destinationsOf(deployment, set)) {
      const { MatchingEventTypes = [], SnsDestination, Enabled } = EventDestination;
      const isWanted =
        MatchingEventTypes.includes('ALL') ||
        MatchingEventTypes.some((each: string) => each.toLowerCase() === kind.toLowerCase());
      if (Enabled !== false && isWanted && SnsDestination)
        publish(SnsDestination.TopicARN ?? SnsDestination.TopicArn, message, service);
    }
  }

  return {
    /** SES received an email: the rules for its recipients' domain store it in the bucket and publish its receipt. */
    emailReceived(
      messageId: string,
      recipients: readonly string[],
      store: (bucket: string, key: string) => void,
    ): void {
      for (const { properties } of deployment.ofType('AWS::SES::ReceiptRule')) {
        const { Recipients = [], Actions = [], Enabled } = properties.Rule;
        if (
          !Enabled ||
          !Recipients.some((domain: string) => recipients.some((to) => to.endsWith(`@${domain}`)))
        )
          continue;
        for (const { S3Action } of Actions) {
          store(S3Action.BucketName, `${S3Action.ObjectKeyPrefix ?? ''}${messageId}`);
          const receipt = { recipients, virusVerdict: { status: 'PASS' } };
          if (S3Action.TopicArn)
            publish(
              S3Action.TopicArn,
              { notificationType: 'Received', mail: { messageId }, receipt },
              'ses.amazonaws.com',
            );
        }
      }
    },

    /** SES accepted an email: it is delivered a moment later. */
    emailSent(
      { ConfigurationSetName, EmailTags = [], Destination = {} }: EmailInput,
      messageId: string,
    ): void {
      const event = deliveryEvent() as { mail: object; delivery: object };
      const tags = Object.fromEntries(EmailTags.map(({ Name, Value }) => [Name, [Value]]));
      const to = Destination.ToAddresses ?? [];
      toDestinations(
        'ses.amazonaws.com',
        { set: ConfigurationSetName, kind: 'delivery' },
        {
          ...event,
          mail: { ...event.mail, messageId, tags, destination: to },
          delivery: { ...event.delivery, recipients: to, timestamp: new Date().toISOString() },
        },
      );
    },

    /** The phone service accepted a text message or call: it is delivered a moment later. */
    phoneCall(operation: string, input: Record<string, unknown>, messageId: string): void {
      const kind =
        operation === 'SendVoiceMessage'
          ? 'VOICE_COMPLETED'
          : operation.startsWith('Send')
            ? 'TEXT_DELIVERED'
            : undefined;
      if (!kind) return;
      toDestinations(
        'sms-voice.amazonaws.com',
        { set: String(input.ConfigurationSetName ?? ''), kind },
        {
          eventType: kind,
          eventVersion: '1.0',
          eventTimestamp: Date.now(),
          isFinal: true,
          originationPhoneNumber: '+15005550006',
          destinationPhoneNumber: input.DestinationPhoneNumber,
          messageId,
          messageStatus: kind === 'TEXT_DELIVERED' ? 'DELIVERED' : 'COMPLETED',
          context: input.Context,
        },
      );
    },
  };
}

/** Event destinations of a configuration set, of SES or of the phone service. */
// biome-ignore lint/suspicious/noExplicitAny: template properties, read by path
function destinationsOf(deployment: Deployment, set: string | undefined): { EventDestination: any }[] {
  const email = deployment
    .ofType('AWS::SES::ConfigurationSetEventDestination')
    .filter(({ properties }) => properties.ConfigurationSetName === set);
  const phone = deployment
    .ofType('AWS::SMSVOICE::ConfigurationSet')
    .filter(({ properties }) => properties.ConfigurationSetName === set);
  return [
    ...email.map(({ properties }) => properties),
    ...phone.flatMap(({ properties }) =>
      (properties.EventDestinations ?? []).map((EventDestination: unknown) => ({ EventDestination })),
    ),
  ];
}
