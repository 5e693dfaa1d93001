/** The meaning of the settings that requests and types have of text messages. */
export const SMS_SETTING_TEXTS = {
  validitySeconds:
    'Seconds after which the text message is no longer sent or delivered, such as 300 for a login code.',
  messageType:
    'transactional or promotional; promotional on types with purpose marketing unless set. AWS only.',
  maxPrice: 'The highest price of one part, in USD: a more expensive one is not sent. AWS only.',
};

/** The same of calls. */
export const CALL_SETTING_TEXTS = {
  timeoutSeconds: 'Seconds that the phone rings. Twilio and Telnyx.',
  maxMinutes: 'Minutes after which the provider ends the call. Twilio and Telnyx.',
};

/** What dry runs and previews show of text messages. */
export const TEXT_FACTS_TEXTS = {
  encoding: 'Of a text message: GSM-7, or UCS-2 if a character is outside of it.',
  characters: 'Of a text message: the number of its characters.',
  segments: 'Of a text message: the parts that carriers bill.',
  estimatedPrice: 'Of a text message: its price in USD, at the PHONE_PRICE_ESTIMATE_CENTS of the deployment.',
  ucs2Character: 'Of a text message: the first character that made it UCS-2.',
};
