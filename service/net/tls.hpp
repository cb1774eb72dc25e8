// firn::service::tls_context: a server's certificate and key for OpenSSL.
//
// TLS 1.2 and 1.3, the distribution's default ciphers. When not to use it: on loopback.
//
//     firn::service::tls_context tls("server.pem", "server.key");     // throws with what is wrong and where
#pragma once

#include <boost/asio/ssl/context.hpp>
#include <string>

namespace firn::service {

class tls_context {
  public:
    tls_context(const std::string& certificate, const std::string& key)
        : context_(boost::asio::ssl::context::tls_server) {
        namespace ssl = boost::asio::ssl;
        context_.set_options(ssl::context::default_workarounds | ssl::context::no_tlsv1 |
                             ssl::context::no_tlsv1_1 | ssl::context::no_compression);
        boost::system::error_code failed;
        context_.use_certificate_chain_file(certificate, failed);
        if (failed)
            throw std::runtime_error("cannot use the TLS certificate " + certificate + ": " +
                                     failed.message());
        context_.use_private_key_file(key, ssl::context::pem, failed);
        if (failed) throw std::runtime_error("cannot use the TLS key " + key + ": " + failed.message());
    }
    boost::asio::ssl::context& get() noexcept { return context_; }

  private:
    boost::asio::ssl::context context_;
};

}  // namespace firn::service
