package secret

// testsStartThemselves tells whether the sample's own tests start their program again, as tests of
// programs do. Otherwise only the harness starts it. Written anew for each sample.
const testsStartThemselves = false
