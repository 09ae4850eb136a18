module.exports = process.versions.electron ? require('original-fs') : require('node:fs');
