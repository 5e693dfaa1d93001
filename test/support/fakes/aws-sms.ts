import { randomUUID } from 'node:crypto';
import { type FakeRequest, type FakeResponse, type PhoneServer, startPhoneServer } from './phone-server.ts';

/** An exception of the service: its name and members (`Message`, `Reason`, `Fields`, `ResourceType`). */
export type AwsException = { name: string; status?: number; retryAfter?: string } & Record<string, unknown>;

/** A fake End User Messaging: awsJson 1.0, checks what the service model requires. */
export type FakeAwsSms = PhoneServer & {
  /** The inputs of the operations that were called, in order. */
  inputs(): { operation: string; input: Record<string, unknown> }[];
  fail(...exceptions: AwsException[]): void;
};

const TARGET = 'PinpointSMSVoiceV2.';
const NUMBER = /^\+?[1-9][0-9]{1,18}$/;
const CONTEXT_VALUE = /^(?!\s)[\s\S]{1,800}(?<!\s)$/;

/** Starts the fake; every operation that is well formed succeeds. */
export async function startFakeAwsSms(): Promise<FakeAwsSms> {
  const server = await startPhoneServer(response);
  return {
    ...server,
    inputs: () =>
      server.requests.map((request) => ({
        operation: operationOf(request),
        input: JSON.parse(request.body),
      })),
    fail: (...exceptions) => server.next(...exceptions.map(toResponse)),
  };
}

/** An exception as the service writes it. */
function toResponse({ name, status = 400, retryAfter, ...members }: AwsException): FakeResponse {
  return {
    status,
    headers: {
      'content-type': 'application/x-amz-json-1.0',
      'x-amzn-requestid': randomUUID(),
      'x-amzn-errortype': name,
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    },
    body: { __type: `com.amazonaws.pinpointsmsvoicev2#${name}`, ...members },
  };
}

/** The SNS notification that carries an event, as the queue's message body. */
export function toSnsNotification(event: unknown, timestamp = '2026-11-20T10:00:00.000Z'): string {
  return JSON.stringify({
    Type: 'Notification',
    MessageId: randomUUID(),
    TopicArn: 'arn:aws:sns:us-east-1:123456789012:sms-events',
    Message: JSON.stringify(event),
    Timestamp: timestamp,
    SignatureVersion: '1',
  });
}

function operationOf(request: FakeRequest): string {
  return String(request.headers['x-amz-target']).slice(TARGET.length);
}

function response(request: FakeRequest): FakeResponse {
  const { headers } = request;
  if (request.method !== 'POST' || request.path !== '/') return unknownOperation();
  if (headers['content-type'] !== 'application/x-amz-json-1.0') return unknownOperation();
  if (!String(headers['x-amz-target']).startsWith(TARGET)) return unknownOperation();
  if (!/^AWS4-HMAC-SHA256 .*\/sms-voice\/aws4_request/.test(headers.authorization ?? '')) {
    return toResponse({ name: 'UnrecognizedClientException', Message: 'The security token is invalid.' });
  }
  const input: Record<string, unknown> = JSON.parse(request.body);
  const operation = operationOf(request);
  const badField = findBadField(operation, input);
  if (badField) {
    return toResponse({
      name: 'ValidationException',
      Message: `Validation failed for ${badField}`,
      Reason: 'FIELD_VALIDATION_FAILED',
      Fields: [{ Name: badField, Message: 'is not valid' }],
    });
  }
  return {
    status: 200,
    headers: { 'content-type': 'application/x-amz-json-1.0' },
    body: result(operation, input),
  };
}

function result(operation: string, input: Record<string, unknown>): unknown {
  if (operation !== 'CarrierLookup') return { MessageId: randomUUID() };
  return {
    E164PhoneNumber: input.PhoneNumber,
    DialingCountryCode: '1',
    IsoCountryCode: 'US',
    Country: 'United States',
    Carrier: 'Fake Wireless',
    PhoneNumberType: 'MOBILE',
  };
}

function unknownOperation(): FakeResponse {
  return toResponse({ name: 'UnknownOperationException', Message: 'No such operation.' });
}

function findBadField(operation: string, input: Record<string, unknown>): string | undefined {
  if (operation === 'CarrierLookup') return isNumber(input.PhoneNumber) ? undefined : 'PhoneNumber';
  if (operation.endsWith('OptedOutNumber')) {
    return isNumber(input.OptedOutNumber) ? undefined : 'OptedOutNumber';
  }
  if (!isNumber(input.DestinationPhoneNumber)) return 'DestinationPhoneNumber';
  const context = Object.values(input.Context ?? {});
  if (context.length > 5 || !context.every((value) => CONTEXT_VALUE.test(String(value)))) return 'Context';
  if (operation !== 'SendTextMessage' && !input.OriginationIdentity) return 'OriginationIdentity';
  const text = String(input.MessageBody ?? '');
  const lengthMax = operation === 'SendVoiceMessage' ? 6000 : 1600;
  if (text.length > lengthMax) return 'MessageBody';
  if (operation !== 'SendMediaMessage') return text.trim() === '' ? 'MessageBody' : undefined;
  const urls = Array.isArray(input.MediaUrls) ? input.MediaUrls : [];
  return urls.length === 1 && String(urls[0]).startsWith('s3://') ? undefined : 'MediaUrls';
}

function isNumber(value: unknown): boolean {
  return typeof value === 'string' && NUMBER.test(value);
}
