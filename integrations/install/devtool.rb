class Devtool < Formula
  desc "Deploys Compose files to Kubernetes"
  homepage "@URL@"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    on_arm do
      url "@URL@/devtool-@VERSION@-darwin-arm64.tar.gz"
      sha256 "@SHA256 darwin-arm64@"
    end
    on_intel do
      url "@URL@/devtool-@VERSION@-darwin-x64.tar.gz"
      sha256 "@SHA256 darwin-x64@"
    end
  end
  on_linux do
    on_arm do
      url "@URL@/devtool-@VERSION@-linux-arm64.tar.gz"
      sha256 "@SHA256 linux-arm64@"
    end
    on_intel do
      url "@URL@/devtool-@VERSION@-linux-x64.tar.gz"
      sha256 "@SHA256 linux-x64@"
    end
  end

  def install
    # It is not signed, and macOS runs no program without a signature on Apple silicon.
    system "codesign", "--force", "--sign", "-", "bin/devtool" if OS.mac?
    bin.install "bin/devtool"
    man1.install Dir["share/man/man1/*.1"]
    bash_completion.install "share/bash-completion/completions/devtool"
    zsh_completion.install "share/zsh/site-functions/_devtool"
    fish_completion.install "share/fish/vendor_completions.d/devtool.fish"
    doc.install Dir["share/doc/devtool/*"]
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/devtool version")
  end
end
