import { final, type OutcomeTable, passing, UNKNOWN_CODE } from '../outcome/phone-outcome.ts';

/**
 * Outcomes by Twilio error code, in responses and status callbacks. The first block is from the spec. Twilio can change codes, so
 * the raw code is in `*_failed_internal`.
 */
export const TWILIO_CODES: OutcomeTable = {
  13224: final('13224', 'message', 'the number cannot be called, or is not E.164'),
  21211: final('21211', 'message', 'invalid recipient'),
  21215: final('21215', 'sender', 'the account may not call this country'),
  21265: final('21265', 'message', 'the recipient is a short code'),
  21610: final('21610', 'message', 'the recipient opted out'),
  21612: final('21612', 'sender', 'the sending number does not reach the recipient'),
  21614: final('21614', 'message', 'the recipient cannot receive text messages'),
  30005: final('30005', 'message', 'unknown or inactive handset'),
  30006: final('30006', 'message', 'landline, or unreachable carrier'),
  30007: final('30007', 'message', 'filtered as spam or abuse'),
  30008: final('30008', 'open', 'unknown error of the carrier'),
  30453: final('30453', 'message', 'blocked by the protection against SMS pumping'),

  21217: final('21211', 'message', 'malformed recipient'),
  21401: final('21211', 'message', 'malformed recipient'),
  21266: final('21211', 'message', 'recipient and sender are the same number'),
  13223: final('13224', 'message', 'malformed number to call'),
  21212: final('21612', 'sender', 'invalid sending number'),
  21603: final('21612', 'sender', 'no sending number'),
  21606: final('21612', 'sender', 'the sending number cannot send this message'),
  21659: final('21612', 'sender', 'the sending number is not one of Twilio'),
  21660: final('21612', 'sender', 'the sending number belongs to another account'),
  21408: final('21215', 'sender', 'the account may not send to this country'),
  13227: final('21215', 'sender', 'the account may not call this country'),
  32205: final('21215', 'sender', 'the account may not call this country over SIP'),
  21268: final('21614', 'message', 'the recipient is a premium number'),
  21602: final('MISSING_SMS_MESSAGE', 'message', 'no text'),
  21619: final('MISSING_SMS_MESSAGE', 'message', 'no text and no media'),
  21604: final('MISSING_SMS_RECIPIENT', 'message', 'no recipient'),
  30003: final('30005', 'message', 'unreachable handset'),
  30004: final('30007', 'message', 'blocked by the carrier or the recipient'),
  30032: final('40010', 'sender', 'the toll-free sending number is not verified'),
  30034: final('40010', 'sender', 'the sending number is not registered'),
  30450: final('30453', 'message', 'blocked by the protection against SMS pumping'),
  20003: final(UNKNOWN_CODE, 'account', 'wrong credentials'),
  20005: final(UNKNOWN_CODE, 'account', 'the account is not active'),
  30002: final(UNKNOWN_CODE, 'account', 'the account is suspended'),

  21703: final(UNKNOWN_CODE, 'sender', 'the messaging service has no sending number'),
  21704: final(UNKNOWN_CODE, 'sender', 'the messaging service is not available'),

  14107: passing(UNKNOWN_CODE, 'too many messages to one number'),
  20429: passing(UNKNOWN_CODE, 'too many requests'),
  21611: passing(UNKNOWN_CODE, 'the queue of the sending number is full'),
  30001: passing(UNKNOWN_CODE, 'the queue is full'),
};
