/** What Leasehold takes over, and the three that give the file its shape. */
const USED =
  words(`host match include hostname port user identityfile certificatefile identitiesonly
  proxyjump proxycommand forwardagent serveraliveinterval userknownhostsfile hostkeyalias`);

/** OpenSSH's keywords that change neither how a box is reached nor who it takes it to be. Nobody needs to hear of them. */
const SILENT =
  words(`addkeystoagent batchmode channeltimeout checkhostip clearallforwardings compression
  connectionattempts connecttimeout controlmaster controlpath controlpersist enableescapecommandline
  enablesshkeysign escapechar exitonforwardfailure fingerprinthash forkafterauthentication forwardx11
  forwardx11timeout forwardx11trusted gatewayports hashknownhosts ignoreunknown ipqos loglevel logverbose
  nohostauthenticationforlocalhost numberofpasswordprompts obscurekeystroketiming permitlocalcommand
  permitremoteopen rekeylimit refuseconnection requiredrsasize sendenv serveralivecountmax setenv
  stdinnull streamlocalbindmask streamlocalbindunlink syslogfacility tcpkeepalive tunnel tunneldevice
  updatehostkeys usekeychain versionaddendum visualhostkey warnweakcrypto xauthlocation protocol cipher
  usersh useprivilegedport fallbacktorsh afstokenpassing kerberosauthentication kerberostgtpassing
  compressionlevel smartcarddevice keepalive`);

/** OpenSSH's keywords that a person might count on, and that Leasehold does not follow. */
const TOLD =
  words(`addressfamily bindaddress bindinterface canonicaldomains canonicalizefallbacklocal
  canonicalizehostname canonicalizemaxdots canonicalizepermittedcnames casignaturealgorithms
  challengeresponseauthentication ciphers dsaauthentication dynamicforward globalknownhostsfile
  globalknownhostsfile2 gssapiauthentication gssapiclientidentity gssapidelegatecredentials
  gssapikexalgorithms gssapikeyexchange gssapirenewalforcesrekey gssapiserveridentity gssapitrustdns
  hostbasedacceptedalgorithms hostbasedauthentication hostbasedkeytypes hostkeyalgorithms identityagent
  identityfile2 kbdinteractiveauthentication kbdinteractivedevices kexalgorithms knownhostscommand
  localcommand localforward macs passwordauthentication pkcs11provider preferredauthentications
  proxyusefdpass pubkeyacceptedalgorithms pubkeyacceptedkeytypes pubkeyauthentication remotecommand
  remoteforward requesttty revokedhostkeys rhostsauthentication rhostsrsaauthentication
  rsaauthentication securitykeyprovider sessiontype skeyauthentication stricthostkeychecking tag
  tisauthentication userknownhostsfile2 verifyhostkeydns`);

const FORWARD = 'not used: a forward is not part of a box’s address';
const BECAUSE: Readonly<Record<string, string>> = {
  localforward: FORWARD,
  remoteforward: FORWARD,
  dynamicforward: FORWARD,
  stricthostkeychecking: 'not used: Leasehold always checks the host key',
};

export type KeywordKind = 'used' | 'silent' | 'told' | 'unknown';

export function judgeKeyword(keyword: string): KeywordKind {
  if (USED.has(keyword)) return 'used';
  if (SILENT.has(keyword)) return 'silent';
  return TOLD.has(keyword) ? 'told' : 'unknown';
}

export function whyNotUsed(keyword: string): string {
  return BECAUSE[keyword] ?? 'not used';
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}
